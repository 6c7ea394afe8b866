/** The lessons: files with steps, each loaded when it is asked for. */
import type { Lesson } from '../local/lesson.ts';

const FILES = import.meta.glob<Lesson>('./lessons/*.json', { import: 'default' });
const path = (variant: string): string => `./lessons/${variant}.json`;

/** The game that the first lesson teaches from the beginning. */
export const FIRST = 'classic';
export const hasLesson = (variant: string): boolean => path(variant) in FILES;
export const loadLesson = (variant: string): Promise<Lesson> => FILES[path(variant)]!();
