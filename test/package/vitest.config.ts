import { defineConfig, type ViteUserConfig } from "vitest/config";

const report = process.env.TEST_REPORT;

// Names of the tests, each with what became of it: the list is what this run is for.
const config: ViteUserConfig = defineConfig({
  test: {
    include: ["test/package/**/*.test.ts"],
    globalSetup: "test/package/projects.ts",
    pool: "forks",
    maxWorkers: "100%",
    testTimeout: 120_000,
    hookTimeout: 60_000,
    reporters: report ? ["verbose", ["json", { outputFile: report }]] : ["verbose"],
  },
});
export default config;
