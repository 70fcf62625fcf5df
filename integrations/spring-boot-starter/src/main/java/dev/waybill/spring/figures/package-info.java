/** What waits in the tables: one statement for all gauges and for the actuator's endpoint. */
@NullMarked
package dev.waybill.spring.figures;

import org.jspecify.annotations.NullMarked;
