use zed_extension_api::{self as zed, Command, LanguageServerId, Result, Worktree};

struct Targi;

impl zed::Extension for Targi {
    fn new() -> Self {
        Targi
    }

    fn language_server_command(&mut self, _: &LanguageServerId, worktree: &Worktree) -> Result<Command> {
        let command = worktree.which("targi").ok_or("Install it by: pip install 'targi_dsl[lsp]'")?;
        Ok(Command { command, args: vec!["lsp".into()], env: worktree.shell_env() })
    }
}

zed::register_extension!(Targi);
