-- Opens a broken card file, and writes down what Neovim shows of it: findings, a correction, words about a level.
local file, python, result = vim.env.KOTC_FILE, vim.env.KOTC_PYTHON, vim.env.KOTC_RESULT
local out = io.open(result, "w")
local function say(...) out:write(table.concat({ ... }, " "), "\n") end

local client
local done, wrong = pcall(function()
  vim.cmd("edit " .. vim.fn.fnameescape(file))
  client = vim.lsp.start_client({
    name = "kotc",
    cmd = { python, "-m", "render", "lsp" },
    root_dir = vim.fn.fnamemodify(file, ":h"),
  })
  vim.lsp.buf_attach_client(0, client)

  local function wait(condition) assert(vim.wait(60000, condition, 20), "nothing came") end

  wait(function() return #vim.diagnostic.get(0) > 0 end)
  for _, each in ipairs(vim.diagnostic.get(0)) do
    say("shown", each.lnum + 1, each.col + 1, tostring(each.code or each.user_data.lsp.code), (each.message:gsub("\n", " / ")))
  end

  -- Every answer to a question about the place of the first finding.
  local function ask(method, params)
    local answers = vim.lsp.buf_request_sync(0, method, params, 60000)
    return answers[client].result
  end

  vim.api.nvim_win_set_cursor(0, { 2, 9 })
  local asked = vim.lsp.util.make_range_params()
  asked.context = { diagnostics = {} }
  local actions = ask("textDocument/codeAction", asked)
  say("correction", actions[1].title)
  vim.lsp.util.apply_workspace_edit(actions[1].edit, "utf-16")
  say("line", vim.api.nvim_buf_get_lines(0, 1, 2, false)[1])
  local function code() return (vim.diagnostic.get(0)[1] or {}).code end
  wait(function() return code() ~= "C007" end)
  say("left", #vim.diagnostic.get(0), code() or "")

  vim.api.nvim_win_set_cursor(0, { 3, 10 })
  local hover = ask("textDocument/hover", vim.lsp.util.make_position_params())
  say("hover", (hover.contents.value:gsub("\n", " / ")))
end)
if not done then say("error", tostring(wrong)) end
out:close()
vim.lsp.stop_client(client)
vim.wait(2000, function() return vim.lsp.client_is_stopped(client) end, 20)
vim.cmd("qall!")
