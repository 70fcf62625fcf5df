/** A broker for JUnit 5 tests, started before the first test and cleared of the previous test's faults. */
@NullMarked
package dev.waybill.servicebus.embedded.junit;

import org.jspecify.annotations.NullMarked;
