import { suite } from "../../test/suites/tools/request-tracker.ts";
import { testSuite } from "../../test/suites/test-suite.ts";

testSuite(suite);
