// The files of the page: what the browser asks for, and where each lies once it is bundled.

export interface PageFile {
  readonly path: string;
  readonly file: string;
  readonly type: string;
}

export const PAGE_FILES: readonly PageFile[] = [
  { path: '/', file: 'index.html', type: 'text/html; charset=utf-8' },
  { path: '/app.js', file: 'app.js', type: 'text/javascript; charset=utf-8' },
  { path: '/app.css', file: 'app.css', type: 'text/css; charset=utf-8' },
  { path: '/icon.svg', file: 'icon.svg', type: 'image/svg+xml' },
];

/** In the published package the files lie in this folder, beside the module that reads them. */
export const PAGE_FOLDER = 'console-page/';
