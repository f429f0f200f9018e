import { suite } from "../../test/suites/tools/znuny.ts";
import { testSuite } from "../../test/suites/test-suite.ts";

testSuite(suite);
