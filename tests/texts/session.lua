local told = {}
local function wait(question) assert(vim.wait(60000, question, 20), "nothing came") end
wait(function()
  local client = vim.lsp.get_client_by_id(vim.g.targi_client or -1)
  return client ~= nil and client.server_capabilities ~= nil
end)
local function at(passage, word)
  for line, text in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    local start = text:find(passage, 1, true)
    if start then vim.api.nvim_win_set_cursor(0, { line, start - 1 + passage:find(word, 1, true) - 1 }) end
  end
end
at("gain 1 pebbles", "pebbles")
vim.cmd("normal! ciwpeebles")
wait(function() return #vim.diagnostic.get(0) > 0 end)
local problem = vim.diagnostic.get(0)[1]
told.problem = { problem.code or problem.user_data.lsp.code, problem.lnum + 1 }
vim.cmd("normal! ciwpebbles")
wait(function() return #vim.diagnostic.get(0) == 0 end)
local place = vim.lsp.util.make_position_params()
local found = vim.lsp.buf_request_sync(0, "textDocument/completion", place, 60000)
told.completions = {}
for _, answer in pairs(found) do
  for _, item in ipairs(answer.result.items or answer.result) do table.insert(told.completions, item.label) end
end
at("rule build", "build")
vim.lsp.buf.rename("raise")
wait(function() return vim.fn.search("rule raise", "nw") > 0 end)
vim.cmd("silent wall")
vim.fn.writefile({ vim.fn.json_encode(told) }, "told.json")
vim.cmd("qall!")
