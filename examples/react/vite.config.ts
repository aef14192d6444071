import { defineConfig } from 'vite';
import { besideQPilot } from '../proxy.ts';

export default defineConfig(besideQPilot());
