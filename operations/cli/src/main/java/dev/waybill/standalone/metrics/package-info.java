/** The metrics of the standalone relay. Tags are databases, destinations and fixed words, never an id or a session. */
@NullMarked
package dev.waybill.standalone.metrics;

import org.jspecify.annotations.NullMarked;
