/**
 * The verbs of {@code topology}: check, apply, migrate and export.
 * They compare the entities in the configuration with the entities of the namespace. {@code apply --delete} deletes an entity by its name alone.
 */
@NullMarked
package dev.waybill.standalone.cli.topology;

import org.jspecify.annotations.NullMarked;
