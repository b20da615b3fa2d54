autocmd BufRead,BufNewFile *.targi setfiletype targi
