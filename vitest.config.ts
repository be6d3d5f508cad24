import { defineConfig, type ViteUserConfig } from "vitest/config";

// Where a run of `.ci/run` or `npm run test:runtimes` wants its figures written, as JSON.
const report = process.env.TEST_REPORT;

const config: ViteUserConfig = defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // What needs the workers' runtime is told by `npm run test:runtimes`, what needs a packed archive by `test:package`.
    exclude: ["**/node_modules/**", "test/runtimes/**", "test/package/**"],
    pool: "forks",
    // By default one core of two is left to itself.
    maxWorkers: "100%",
    testTimeout: 30_000,
    reporters: report ? ["default", ["json", { outputFile: report }]] : ["default"],
  },
});
export default config;
