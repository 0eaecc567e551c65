/**
 * Explores the model agent, with one of its faults or sound, as `platen explore` does.
 */

import { fileURLToPath } from 'node:url';

import { systemClock } from '../../src/common/clock.ts';
import { Press } from '../../src/devices/press/press.ts';
import { explorePipeline, type PipelineExplored } from '../../src/pipeline/explore-pipeline.ts';
import { loadPipeline, type Pipeline } from '../../src/pipeline/pipeline-file.ts';
import { Ports } from '../../src/pipeline/ports.ts';

const MODEL_PIPELINE = fileURLToPath(new URL('pipeline.yaml', import.meta.url));

export interface ModelExploration {
  readonly seed: number;
  readonly seeds?: number;
  readonly limitMs?: number;
  readonly sideBySide: number;
}

/** With one of its faults; `none` is the sound one. */
export async function modelPipeline(fault: string): Promise<Pipeline> {
  const pipeline = await loadPipeline(MODEL_PIPELINE);
  const environment = { MODEL_FAULT: fault, PATH: pathOfNode() };
  const start = Object.entries(pipeline.start).map(([name, piece]) => [name, { ...piece, environment }]);
  return { ...pipeline, start: Object.fromEntries(start) as Pipeline['start'] };
}

/** Ends with the first thing that is found. */
export async function exploreModel(fault: string, options: ModelExploration): Promise<PipelineExplored> {
  const pipeline = await modelPipeline(fault);
  await using press = new Press(systemClock);
  const surroundings = { press, ports: new Ports() };
  return await explorePipeline({
    ...options,
    pipeline,
    surroundings,
    known: [],
    mostFindings: 1,
  });
}

function pathOfNode(): string {
  return `${fileURLToPath(new URL('.', `file://${process.execPath}`))}:${process.env['PATH'] ?? ''}`;
}
