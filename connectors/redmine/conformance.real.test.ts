import { suite } from "../../test/suites/tools/redmine.ts";
import { testSuite } from "../../test/suites/test-suite.ts";

testSuite(suite);
