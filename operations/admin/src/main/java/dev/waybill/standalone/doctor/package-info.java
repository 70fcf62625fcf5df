/**
 * Finds what pages people: fourteen mistakes that are known by name, and what else stands in the way of an outbox.
 *
 * <p>Evidence comes from the entity settings where they may be read, from the rows of the outbox, from the tables and the
 * clock, and from what is declared of consumers. It also says what it could not verify. Every finding says what, by which
 * evidence, why it matters, and what to do. Nothing is changed.
 */
@NullMarked
package dev.waybill.standalone.doctor;

import org.jspecify.annotations.NullMarked;
