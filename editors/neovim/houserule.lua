-- Houserule in Neovim: the language server, formatting, and the debugger if nvim-dap is installed.
-- Copy this file to ~/.config/nvim/plugin/houserule.lua; nothing else is needed. Neovim 0.11 is best, 0.10 the oldest.
-- `vim.g.houserule_path` is the program, if it is not in the PATH; `vim.g.houserule_language = "ja"` makes it speak Japanese.

local program = vim.g.houserule_path or "houserule"
local language = { "--lang", vim.g.houserule_language or "en" }

vim.filetype.add({ extension = { rhai = "rhai" } })

local has_dap, dap = pcall(require, "dap")

local server = {
    name = "houserule",
    cmd = vim.list_extend({ program, "lsp" }, language),
    filetypes = { "rhai", "toml" },
    root_markers = { "games", "variants" },
    -- Files of TOML that belong to other programs are left alone.
    workspace_required = true,
    init_options = { debug = has_dap },
}

if vim.lsp.config then
    vim.lsp.config("houserule", server)
    vim.lsp.enable("houserule")
end

local group = vim.api.nvim_create_augroup("houserule", {})
vim.api.nvim_create_autocmd("FileType", {
    group = group,
    pattern = server.filetypes,
    callback = function(event)
        if vim.bo[event.buf].filetype == "rhai" then
            vim.bo[event.buf].commentstring = "// %s"
            vim.bo[event.buf].shiftwidth = 4
            vim.bo[event.buf].expandtab = true
        end
        -- Before Neovim 0.11.
        local root = not vim.lsp.config and vim.fs.root(event.buf, { "games", "variants" })
        if root then
            vim.lsp.start(vim.tbl_extend("force", server, { root_dir = root }), { bufnr = event.buf })
        end
    end,
})

-- Completion while you type, hints and lenses, where this Neovim has them.
vim.api.nvim_create_autocmd("LspAttach", {
    group = group,
    callback = function(event)
        local client = vim.lsp.get_client_by_id(event.data.client_id)
        if not client or client.name ~= "houserule" then
            return
        end
        if vim.lsp.completion then
            vim.lsp.completion.enable(true, client.id, event.buf, { autotrigger = true })
        end
        if vim.lsp.inlay_hint then
            vim.lsp.inlay_hint.enable(true, { bufnr = event.buf })
        end
        vim.lsp.codelens.refresh({ bufnr = event.buf })
        vim.api.nvim_create_autocmd({ "BufWritePost", "InsertLeave" }, {
            group = group,
            buffer = event.buf,
            callback = function()
                vim.lsp.codelens.refresh({ bufnr = event.buf })
            end,
        })
    end,
})

-- What lenses need the editor for: a game in a terminal, and a list of places.
vim.lsp.commands["houserule.play"] = function(command)
    local line = { program, "play", command.arguments[1] }
    for at = 2, #command.arguments do
        vim.list_extend(line, { "-v", command.arguments[at] })
    end
    vim.cmd.new()
    if vim.fn.has("nvim-0.11") == 1 then
        vim.fn.jobstart(vim.list_extend(line, language), { term = true })
    else
        vim.fn.termopen(vim.list_extend(line, language))
    end
    vim.cmd.startinsert()
end

vim.lsp.commands["houserule.showReferences"] = function(command, context)
    local client = vim.lsp.get_client_by_id(context.client_id)
    local items = vim.lsp.util.locations_to_items(command.arguments[3], client.offset_encoding)
    vim.fn.setqflist({}, " ", { title = command.title, items = items })
    vim.cmd.copen()
end

if has_dap then
    vim.lsp.commands["houserule.debug"] = function(command)
        local file, name = command.arguments[1], command.arguments[2]
        local is_named = type(name) == "string"
        if is_named then
            -- nvim-dap sets breakpoints of lines only.
            dap.listeners.after.event_initialized.houserule = function(session)
                dap.listeners.after.event_initialized.houserule = nil
                session:request("setFunctionBreakpoints", { breakpoints = { { name = name } } }, function() end)
            end
        end
        dap.run({
            type = "houserule",
            request = "launch",
            name = "Debug",
            program = file,
            dir = vim.fn.getcwd(),
            stopOnEntry = not is_named,
        })
    end
    dap.adapters.houserule = {
        type = "executable",
        command = program,
        args = vim.list_extend({ "dap" }, language),
    }
    local this_file = {
        type = "houserule",
        request = "launch",
        name = "Debug this file",
        program = "${file}",
        dir = "${workspaceFolder}",
        stopOnEntry = true,
    }
    dap.configurations.rhai = { this_file }
    dap.configurations.toml = { this_file }
end
