import { defineConfig } from "vite";
import { pagesConfig } from "./pages-config.ts";

export default defineConfig(() => pagesConfig("console"));
