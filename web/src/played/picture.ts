/** A picture of final sheets, drawn for sharing, in the colours of the page. */
import { formatNumber } from '../i18n.svelte.ts';
import { PATHS } from '../sheet/Icon.svelte';
import { bonusSigns } from '../sheet/lines.ts';
import type { RowInfo, Sheet, VariantInfo } from '../protocol.ts';

export interface Picture {
  title: string;
  note: string;
  variant: VariantInfo;
  players: { name: string; points: string; sheet: Sheet; won: boolean }[];
  /** What is written beside the address of the site. */
  footer?: string;
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

/** Draws on a canvas with the colours and the font of the page. */
class Pen {
  readonly context: CanvasRenderingContext2D;
  readonly #style = styles();
  readonly #font = this.#style('font-family', 'font-display');

  constructor(context: CanvasRenderingContext2D) {
    this.context = context;
  }

  colour(token: string): string {
    return this.#style('color', token);
  }

  /** What is written on a band: dark on yellow, white on the others. */
  onBand(letter: string): string {
    return this.colour(letter === 'Y' ? 'ink' : 'on-tray');
  }

  write(text: string, x: number, y: number, size: number, ink: string, { align = 'left' as CanvasTextAlign, weight = 400, most = WIDTH - 2 * EDGE } = {}): void {
    const { context } = this;
    context.font = `${weight} ${size}px ${this.#font}`;
    context.textAlign = align;
    context.fillStyle = ink;
    context.fillText(text, x, y, most);
  }

  box(x: number, y: number, width: number, height: number, fill: string, edge?: string): void {
    const { context } = this;
    context.beginPath();
    context.roundRect(x, y, width, height, Math.min(width, height) * 0.18);
    context.fillStyle = fill;
    context.fill();
    if (!edge) return;
    context.strokeStyle = edge;
    context.lineWidth = 2;
    context.stroke();
  }

  cross(x: number, y: number, size: number, ink: string): void {
    const { context } = this;
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

  circle(x: number, y: number, radius: number, ink: string, full: boolean): void {
    const { context } = this;
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.strokeStyle = context.fillStyle = ink;
    context.lineWidth = 3;
    if (full) context.fill();
    context.stroke();
  }

  icon(name: string, x: number, y: number, size: number, ink: string): void {
    const { context } = this;
    context.save();
    context.translate(x, y);
    context.scale(size / 24, size / 24);
    context.fillStyle = ink;
    context.fill(new Path2D(PATHS[name]), 'evenodd');
    context.restore();
  }

  /** The lock at the end of a row: the sign of its colour, full when the player has locked it. */
  lock(row: string, x: number, y: number, size: number, full: boolean): void {
    const { context } = this;
    const corners = SHAPES[row];
    context.beginPath();
    if (corners) for (const [a, b] of corners) context.lineTo(x + a * size, y + b * size);
    else context.arc(x + size / 2, y + size / 2, size * 0.44, 0, 2 * Math.PI);
    context.closePath();
    context.strokeStyle = context.fillStyle = this.onBand(row);
    context.lineWidth = 4;
    if (full) context.fill();
    context.stroke();
  }
}

/** The address of the site, without what a browser adds itself: `rowlock.example/games`. */
export const siteAddress = (base: string): string => base.replace(/^\w+:\/*/, '').replace(/\/$/, '');

/** The signs of cells that do more than count: by their names. */
const signsOf = (variant: VariantInfo, { steps }: Sheet): Map<string, string> => new Map([...bonusSigns(variant), ...steps.map((cell) => [cell, 'step'] as const)]);

/** The width of a sheet, the width of a cell, and the height of a line of bonus or swap fields. */
interface Size {
  width: number;
  cell: number;
  field: number;
}

/** The places of the sheets, one below the other or two beside each other; of an odd number the first has a line for itself. */
function placesOf(count: number, { rows, fields, swaps }: VariantInfo): (Size & { left: number; height: number })[] {
  const across = Math.max(...rows.map((row) => row.numbers.length)) + 2; // and lock and points
  return Array.from({ length: count }, (_, index) => {
    const alone = count < 3 || (count % 2 === 1 && index === 0);
    const width = alone ? WIDTH - 2 * EDGE : (WIDTH - 2 * EDGE - GAP) / 2;
    const cell = width / across;
    const field = cell * 0.7;
    const height = HEAD + rows.length * cell * 1.12 + (fields.length + Math.sign(swaps.length)) * field + cell * 0.9;
    return { width, cell, field, height, left: !alone && (index + count) % 2 ? EDGE + width + GAP : EDGE };
  });
}

export function drawPicture(canvas: HTMLCanvasElement, { title, note, variant, players, footer }: Picture): void {
  const places = placesOf(players.length, variant);
  const lastIn = ({ left, width }: { left: number; width: number }): boolean => left + width > WIDTH - EDGE - 1;
  canvas.width = WIDTH;
  canvas.height = Math.round(EDGE + TITLE + places.filter(lastIn).reduce((sum, { height }) => sum + height + GAP, 0) + 30 + EDGE);
  const pen = new Pen(canvas.getContext('2d')!);
  const [text, muted] = [pen.colour('text'), pen.colour('text-muted')];

  pen.context.fillStyle = pen.colour('background');
  pen.context.fillRect(0, 0, canvas.width, canvas.height);
  pen.write(title, EDGE, EDGE + 56, 64, text, { weight: 800 });
  pen.write(note, EDGE, EDGE + 120, 42, muted);
  let top = EDGE + TITLE;
  for (const [index, player] of players.entries()) {
    const place = places[index]!;
    const { left, width, height } = place;
    pen.write(player.name, left, top + 54, 48, text, { weight: 700, most: width * 0.68 });
    pen.write(`${player.won ? '★ ' : ''}${player.points}`, left + width, top + 54, 48, text, { align: 'right', weight: 800, most: width * 0.3 });
    drawSheet(pen, variant, player.sheet, place, left, top + HEAD);
    if (lastIn(place)) top += height + GAP;
  }
  pen.write(['Rowlock', siteAddress(document.baseURI), ...(footer ? [footer] : [])].join(' · '), EDGE, canvas.height - EDGE, 36, muted);
}

function drawSheet(pen: Pen, variant: VariantInfo, sheet: Sheet, size: Size, left: number, top: number): void {
  const { width, cell } = size;
  const signs = signsOf(variant, sheet);
  let y = top;
  for (const row of variant.rows) {
    drawRow(pen, row, sheet, signs, size, left, y);
    y += cell * 1.12;
    for (const field of variant.fields.filter((one) => one.name[0] === row.name)) {
      for (const index of field.numbers.keys()) {
        const marked = sheet.cells[field.name]?.[index] === 'marked';
        pen.circle(left + (index + 0.5) * cell, y + size.field * 0.42, size.field * 0.36, pen.colour(`fill-${row.name}`), marked);
      }
      y += size.field;
    }
  }
  drawSwaps(pen, variant, sheet, size, left, y);
  if (variant.swaps.length) y += size.field;
  for (let misthrow = 0; misthrow < variant.misthrows_to_end; misthrow++) {
    const x = left + width - (variant.misthrows_to_end - misthrow) * cell * 0.8;
    pen.box(x, y + cell * 0.1, cell * 0.66, cell * 0.66, pen.colour('cell'), pen.colour('border-strong'));
    if (misthrow < sheet.misthrows) pen.cross(x, y + cell * 0.1, cell * 0.66, pen.colour('text'));
  }
}

/** Swap fields: those that are used are crossed, those that are lost are pale. */
function drawSwaps(pen: Pen, { swaps }: VariantInfo, sheet: Sheet, { width, field }: Size, left: number, top: number): void {
  const across = width / swaps.length;
  const high = field * 0.86;
  for (const [index, [first, second]] of swaps.entries()) {
    const x = left + index * across;
    const state = sheet.swap_states[index];
    pen.context.globalAlpha = state === 'lost' ? 0.35 : 1;
    pen.box(x + across * 0.04, top, across * 0.92, high, pen.colour('cell'), pen.colour('border-strong'));
    if (state === 'used') pen.cross(x + (across - high) / 2, top, high, pen.colour('text'));
    else pen.write(`${first}/${second}`, x + across / 2, top + high * 0.7, high * 0.56, pen.colour('text'), { align: 'center', weight: 700 });
    pen.context.globalAlpha = 1;
  }
}

/** A band in the colour of the row, or of each cell. Open and marked cells are paper, those that are lost are darker than the band. */
function drawRow(pen: Pen, row: RowInfo, sheet: Sheet, signs: Map<string, string>, { width, cell }: Size, left: number, top: number): void {
  pen.box(left, top, width, cell * 1.04, pen.colour(`fill-${row.name}`));
  for (const [index, number] of row.numbers.entries()) {
    const state = sheet.cells[row.name]?.[index];
    const letter = row.colours[index] ?? row.name;
    const [x, y, size] = [left + index * cell + cell * 0.07, top + cell * 0.08, cell * 0.88];
    if (letter !== row.name) pen.box(left + index * cell, top, cell, cell * 1.04, pen.colour(`fill-${letter}`));
    const paper = state === 'marked' || state === 'open';
    pen.context.globalAlpha = state === 'marked' ? 1 : paper ? 0.82 : 0.14;
    pen.box(x, y, size, size, pen.colour(paper ? 'paper' : 'ink'));
    pen.context.globalAlpha = 1;
    const ink = pen.colour(`deep-${letter}`);
    if (state === 'marked') pen.cross(x, y, size, ink);
    else pen.write(String(number), x + size / 2, y + size * 0.68, size * 0.5, paper ? ink : pen.onBand(letter), { align: 'center', weight: 700 });
    const sign = signs.get(`${row.name}${number}`);
    if (sign) pen.icon(sign, x + size * 0.66, y + size * 0.03, size * 0.31, paper ? ink : pen.onBand(letter));
    if (sheet.second_states[row.name]?.[index] === 'marked') pen.box(x + size * 0.12, y + size * 0.86, size * 0.76, size * 0.14, ink);
  }
  pen.lock(row.name, left + width - cell * 1.86, top + cell * 0.2, cell * 0.64, sheet.locks.includes(row.name));
  pen.write(formatNumber(sheet.points[row.name] ?? 0), left + width - cell * 0.56, top + cell * 0.72, cell * 0.54, pen.onBand(row.name), { align: 'center', weight: 800, most: cell });
}

export const pictureFile = (canvas: HTMLCanvasElement, name: string): Promise<File> =>
  new Promise((resolve) => canvas.toBlob((blob) => resolve(new File([blob!], name, { type: 'image/png' })), 'image/png'));
