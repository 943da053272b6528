;;; houserule.el --- Rules of tabletop games in Rhai and TOML  -*- lexical-binding: t; -*-

;; Put (load "/path/to/houserule.el") into your init file. Emacs 29 or newer; completion, checks, help and formatting come
;; from the language server through Eglot, which is part of Emacs. With the package `dape' there is the debugger, too.

;;; Code:

(defgroup houserule nil "Rules of tabletop games." :group 'languages)

(defcustom houserule-program "houserule"
  "The program." :type 'string)

(defcustom houserule-language "en"
  "The language of messages and names." :type '(choice (const "en") (const "ja")))

(defvar houserule-keywords
  '(("^\\s-*//[/!].*$" 0 font-lock-doc-face t)
    ("\\_<\\(fn\\)\\s-+\\([_[:alpha:]][_[:alnum:]]*\\)"
     (1 font-lock-keyword-face) (2 font-lock-function-name-face))
    ("\\_<\\(?:if\\|else\\|while\\|for\\|in\\|loop\\|switch\\|return\\|throw\\|break\\|continue\\|let\\|private\\|super\\)\\_>"
     . font-lock-keyword-face)
    ("\\_<\\(?:true\\|false\\|nobody\\)\\_>" . font-lock-constant-face)
    ("\\_<\\(?:players\\|table\\|data\\|settings\\)\\_>" . font-lock-builtin-face)
    ("\\([_[:alpha:]][_[:alnum:]]*\\)\\s-*(" 1 font-lock-function-name-face))
  "What is coloured in a script.")

;;;###autoload
(define-derived-mode rhai-mode prog-mode "Rhai"
  "Scripts of rules."
  (modify-syntax-entry ?/ ". 124b" rhai-mode-syntax-table)
  (modify-syntax-entry ?* ". 23n" rhai-mode-syntax-table)
  (modify-syntax-entry ?\n "> b" rhai-mode-syntax-table)
  (modify-syntax-entry ?` "\"" rhai-mode-syntax-table)
  (modify-syntax-entry ?_ "_" rhai-mode-syntax-table)
  (setq-local comment-start "// " comment-end "" tab-width 4 indent-tabs-mode nil)
  (setq-local font-lock-defaults '(houserule-keywords)))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.rhai\\'" . rhai-mode))

(defvar eglot-server-programs)
(defvar dape-configs)

(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs
               `((rhai-mode toml-ts-mode conf-toml-mode)
                 . ,(lambda (&rest _) (list houserule-program "lsp" "--lang" houserule-language)))))

(add-hook 'rhai-mode-hook (lambda () (when (fboundp 'eglot-ensure) (eglot-ensure))))

(with-eval-after-load 'dape
  (add-to-list 'dape-configs
               `(houserule
                 modes (rhai-mode toml-ts-mode conf-toml-mode)
                 command ,houserule-program
                 command-args ("dap")
                 :type "houserule"
                 :request "launch"
                 :program dape-buffer-default
                 :dir dape-cwd
                 :stopOnEntry t)))

(provide 'houserule)
;;; houserule.el ends here
