#!/usr/bin/env node
import { createProcessIo } from './io.ts';
import { runCommand } from './program.ts';

process.exitCode = await runCommand(process.argv.slice(2), createProcessIo(process));
