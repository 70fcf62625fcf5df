/** The liveness, startup and readiness probes, over HTTP and for the command {@code health}. */
@NullMarked
package dev.waybill.standalone.health;

import org.jspecify.annotations.NullMarked;
