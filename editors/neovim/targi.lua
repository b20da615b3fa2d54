-- Rules of board games in Neovim: `:luafile` this, or put it into `plugin/` of your configuration.
-- `vim.g.targi_command` is the command line of the program, if it is not on the path.

local function attach(event)
  local command = vim.g.targi_command or { "targi" }
  local client = vim.g.targi_client
  if client == nil or vim.lsp.get_client_by_id(client) == nil then
    client = vim.lsp.start_client({
      name = "targi",
      cmd = vim.list_extend(vim.deepcopy(command), { "lsp" }),
      root_dir = vim.fn.getcwd(),
    })
    vim.g.targi_client = client
  end
  vim.lsp.buf_attach_client(event.buf, client)
  vim.api.nvim_buf_set_option(event.buf, "omnifunc", "v:lua.vim.lsp.omnifunc")
end

vim.api.nvim_create_autocmd({ "BufRead", "BufNewFile" }, {
  pattern = { "*.targi", "*/cards/*.yaml" },
  callback = attach,
})
