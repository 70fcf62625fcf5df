/**
 * What the standalone relay counts and times. Tags are databases, destinations and words of ours, never an id or a session.
 */
@NullMarked
package dev.waybill.standalone.metrics;

import org.jspecify.annotations.NullMarked;
