/**
 * Compares declared entities with the entities of a namespace, and changes the namespace.
 *
 * <pre>
 *   Declaration ─▶ Comparison ─▶ Difference ─┬─▶ check, plan: what differs, and the commands that change it
 *                                            └─▶ Plan ─▶ PlannedChange ─▶ PlanExecution ─▶ ChangeResult
 * </pre>
 *
 * <p>A setting that is fixed at creation needs a new entity. A migration creates it, takes the destination from its relay,
 * waits until the old entity is drained, and activates the new one.
 *
 * <p>{@code apply} preserves undeclared settings and deletes only what the operator names. A killed or concurrent run ends in
 * the same state. Azure has no conditional write, so one of two concurrent changes may overwrite the other unnoticed.
 */
@NullMarked
package dev.waybill.standalone.topology;

import org.jspecify.annotations.NullMarked;
