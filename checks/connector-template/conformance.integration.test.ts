import { testSuite } from "../../test/suites/test-suite.ts";
import { suite } from "./suite.ts";

testSuite(suite);
