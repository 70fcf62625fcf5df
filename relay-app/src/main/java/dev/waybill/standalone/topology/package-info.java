/**
 * The entities as they are declared, against the entities as the namespace has them. Nothing here changes anything.
 *
 * <p>What can be changed comes with the command that does it; what is fixed at creation comes with the steps to a new entity,
 * in an order that keeps every session's order: pause, let the old one run dry, point consumers and the destination to the
 * new one, resume.
 */
@NullMarked
package dev.waybill.standalone.topology;

import org.jspecify.annotations.NullMarked;
