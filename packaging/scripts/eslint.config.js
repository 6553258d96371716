import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: ["webui/static/joined/", "webui/static/vendor/", "**/node_modules/"] },
  js.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "array-callback-return": "error",
      eqeqeq: "error",
      "no-constructor-return": "error",
      "no-self-compare": "error",
      "no-unreachable-loop": "error",
      "no-unused-vars": ["error", { ignoreRestSiblings: true }],
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
    },
  },
  { files: ["webui/static/**", "webui/lite/page/**"], languageOptions: { globals: globals.browser } },
  { files: ["webui/static/net/service_worker.js", "webui/static/net/shared_stream.js"], languageOptions: { globals: { ...globals.serviceworker, STATIC: "readonly" } } },
  { files: ["webui/lite/page/service_worker.js"], languageOptions: { globals: globals.serviceworker } },
  { files: ["packaging/scripts/*.js", "tests/scripts/*.js", "webui/lite/*.mjs"], languageOptions: { globals: globals.node } },
];
