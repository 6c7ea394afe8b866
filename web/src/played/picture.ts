/** A picture of final sheets, drawn for sharing, in the colours of the page. */
import type { Sheet, VariantInfo } from '../protocol.ts';

export interface Picture {
  title: string;
  note: string;
  variant: VariantInfo;
  players: { name: string; points: string; sheet: Sheet; won: boolean }[];
  footer: string;
}

const WIDTH = 1080;
const EDGE = 48;
const GAP = 40;
const HEAD = 80; // the line with name and points
const TITLE = 170; // title and note
const SHAPES: Record<string, [number, number][] | null> = {
  R: [[0.5, 0.1], [0.95, 0.88], [0.05, 0.88]],
  Y: null, // a circle
  G: [[0.12, 0.12], [0.88, 0.12], [0.88, 0.88], [0.12, 0.88]],
  B: [[0.5, 0.02], [0.94, 0.5], [0.5, 0.98], [0.06, 0.5]],
};

/** The value of a style property of the page, with its tokens. */
function styles(): (property: 'color' | 'font-family', token: string) => string {
  const probe = document.createElement('span');
  document.body.append(probe);
  queueMicrotask(() => probe.remove());
  return (property, token) => {
    probe.style.setProperty(property, `var(--${token})`);
    return getComputedStyle(probe).getPropertyValue(property);
  };
}

export function drawPicture(canvas: HTMLCanvasElement, { title, note, variant, players, footer }: Picture): void {
  const columns = players.length > 2 ? 2 : 1;
  const across = Math.max(...variant.rows.map((row) => row.numbers.length)) + 1; // and the lock
  const sheetWidth = (WIDTH - 2 * EDGE - (columns - 1) * GAP) / columns;
  const cell = sheetWidth / across;
  const fieldHeight = cell * 0.7;
  const sheetHeight = HEAD + variant.rows.length * cell * 1.12 + variant.fields.length * fieldHeight + cell * 0.9;
  const lines = Math.ceil(players.length / columns);
  canvas.width = WIDTH;
  canvas.height = Math.round(EDGE + TITLE + lines * (sheetHeight + GAP) + 30 + EDGE);
  const context = canvas.getContext('2d')!;
  const style = styles();
  const colour = (token: string): string => style('color', token);
  const font = style('font-family', 'font-display');
  const write = (text: string, x: number, y: number, size: number, align: CanvasTextAlign = 'left', weight = 400, most = WIDTH - 2 * EDGE): void => {
    context.font = `${weight} ${size}px ${font}`;
    context.textAlign = align;
    context.fillText(text, x, y, most);
  };

  context.fillStyle = colour('background');
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = colour('text');
  write(title, EDGE, EDGE + 56, 64, 'left', 800);
  context.fillStyle = colour('text-muted');
  write(note, EDGE, EDGE + 120, 42);
  for (const [index, player] of players.entries()) {
    const left = EDGE + (index % columns) * (sheetWidth + GAP);
    const top = EDGE + TITLE + Math.floor(index / columns) * (sheetHeight + GAP);
    context.fillStyle = colour('text');
    write(player.name, left, top + 54, 48, 'left', 700, sheetWidth * 0.68);
    write(`${player.won ? '★ ' : ''}${player.points}`, left + sheetWidth, top + 54, 48, 'right', 800, sheetWidth * 0.3);
    drawSheet(player.sheet, left, top + HEAD);
  }
  context.fillStyle = colour('text-muted');
  write(footer, EDGE, canvas.height - EDGE, 36);

  function drawSheet(sheet: Sheet, left: number, top: number): void {
    let y = top;
    for (const row of variant.rows) {
      drawRow(row, sheet, left, y);
      y += cell * 1.12;
      for (const field of variant.fields.filter((one) => one.name[0] === row.name)) {
        for (const index of field.numbers.keys()) {
          const marked = sheet.cells[field.name]?.[index] === 'marked';
          circle(left + (index + 0.5) * cell, y + fieldHeight * 0.42, fieldHeight * 0.36, colour(`fill-${row.name}`), marked);
        }
        y += fieldHeight;
      }
    }
    for (let misthrow = 0; misthrow < variant.misthrows_to_end; misthrow++) {
      const x = left + sheetWidth - (variant.misthrows_to_end - misthrow) * cell * 0.8;
      box(x, y + cell * 0.1, cell * 0.66, cell * 0.66, colour('cell'), colour('border-strong'));
      if (misthrow < sheet.misthrows) cross(x, y + cell * 0.1, cell * 0.66, colour('text'));
    }
  }

  /** A band in the colour of the row, or of each cell. Open and marked cells are paper, those that are lost are darker than the band. */
  function drawRow(row: VariantInfo['rows'][number], sheet: Sheet, left: number, top: number): void {
    box(left, top, sheetWidth, cell * 1.04, colour(`fill-${row.name}`));
    for (const [index, number] of row.numbers.entries()) {
      const state = sheet.cells[row.name]?.[index];
      const letter = row.colours[index] ?? row.name;
      const [x, y, size] = [left + index * cell + cell * 0.07, top + cell * 0.08, cell * 0.88];
      if (letter !== row.name) box(left + index * cell, top, cell, cell * 1.04, colour(`fill-${letter}`));
      const paper = state === 'marked' || state === 'open';
      context.globalAlpha = state === 'marked' ? 1 : paper ? 0.82 : 0.14;
      box(x, y, size, size, colour(paper ? 'paper' : 'ink'));
      context.globalAlpha = 1;
      context.fillStyle = paper ? colour(`deep-${letter}`) : onBand(letter);
      if (state === 'marked') cross(x, y, size, colour(`deep-${letter}`));
      else write(String(number), x + size / 2, y + size * 0.68, size * 0.5, 'center', 700);
      if (sheet.second_states[row.name]?.[index] === 'marked') box(x + size * 0.12, y + size * 0.86, size * 0.76, size * 0.14, colour(`deep-${letter}`));
    }
    shape(row.name, left + sheetWidth - cell * 0.82, top + cell * 0.2, cell * 0.64, sheet.locks.includes(row.name));
  }

  /** What is written on a band: dark on yellow, white on the others. */
  function onBand(letter: string): string {
    return colour(letter === 'Y' ? 'ink' : 'on-tray');
  }

  function box(x: number, y: number, width: number, height: number, fill: string, edge?: string): void {
    context.beginPath();
    context.roundRect(x, y, width, height, Math.min(width, height) * 0.18);
    context.fillStyle = fill;
    context.fill();
    if (!edge) return;
    context.strokeStyle = edge;
    context.lineWidth = 2;
    context.stroke();
  }

  function cross(x: number, y: number, size: number, ink: string): void {
    context.beginPath();
    for (const [from, to] of [[0.14, 0.86], [0.86, 0.14]] as const) {
      context.moveTo(x + size * from, y + size * 0.12);
      context.lineTo(x + size * to, y + size * 0.88);
    }
    context.strokeStyle = ink;
    context.lineWidth = size * 0.11;
    context.lineCap = 'round';
    context.stroke();
  }

  function circle(x: number, y: number, radius: number, ink: string, full: boolean): void {
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.strokeStyle = context.fillStyle = ink;
    context.lineWidth = 3;
    if (full) context.fill();
    context.stroke();
  }

  /** The lock at the end of a row: the sign of its colour, full when the player has locked it. */
  function shape(row: string, x: number, y: number, size: number, full: boolean): void {
    const corners = SHAPES[row];
    context.beginPath();
    if (corners) for (const [a, b] of corners) context.lineTo(x + a * size, y + b * size);
    else context.arc(x + size / 2, y + size / 2, size * 0.44, 0, 2 * Math.PI);
    context.closePath();
    context.strokeStyle = context.fillStyle = onBand(row);
    context.lineWidth = 4;
    if (full) context.fill();
    context.stroke();
  }
}

export const pictureFile = (canvas: HTMLCanvasElement, name: string): Promise<File> =>
  new Promise((resolve) => canvas.toBlob((blob) => resolve(new File([blob!], name, { type: 'image/png' })), 'image/png'));
