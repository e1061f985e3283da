/** The page of the interactive console; what it needs comes from beside it, and nothing from elsewhere. */
export const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Public API</title>
    <link rel="stylesheet" href="swagger-ui.css">
    <link rel="icon" type="image/png" href="favicon-32x32.png">
  </head>
  <body>
    <div id="console"></div>
    <script src="swagger-ui-bundle.js"></script>
    <script src="start.js"></script>
  </body>
</html>
`;

/** The script that starts the console. */
export const START = `SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#console',
  deepLinking: true,
  validatorUrl: null,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
});
`;
