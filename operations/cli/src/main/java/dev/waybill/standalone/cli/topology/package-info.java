/**
 * The verbs of {@code topology}: check, apply, migrate and export.
 * They compare the entities in the configuration with the entities of the namespace. No verb deletes an entity.
 */
@NullMarked
package dev.waybill.standalone.cli.topology;

import org.jspecify.annotations.NullMarked;
