/**
 * The entities as they are declared, against the entities as the namespace has them; and the way from these to those.
 *
 * <pre>
 *   Declaration ─▶ Comparison ─▶ Difference ─┬─▶ check, plan: what differs, and the commands that change it
 *                                            └─▶ Plan ─▶ Deed ─▶ Application ─▶ Done
 * </pre>
 *
 * <p>A setting that can be changed comes with the command that does it; one that is fixed at creation takes a new entity, to
 * which a migration moves the destination: it makes the entity, takes the destination from its relay, lets the old one run dry, puts
 * the new one in force. Each step looks at what is there, so a migration that was killed is gone on with by the next one.
 *
 * <p>An application makes three promises. A setting that the declaration does not name stays: it is read and written back, and
 * told. Nothing is deleted that nobody has named. It may end anywhere: the next one reads what is there and goes on, and two at
 * once end in the same state. It does not promise that one of two who change a setting in the same moment is told of the other:
 * Azure has no condition on a write.
 */
@NullMarked
package dev.waybill.standalone.topology;

import org.jspecify.annotations.NullMarked;
