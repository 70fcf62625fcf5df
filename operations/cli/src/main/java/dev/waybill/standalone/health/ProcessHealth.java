package dev.waybill.standalone.health;

import java.util.List;

/** Knows how the process is. Must not wait for anything. */
public interface ProcessHealth {
    /** Whether everything has started once. */
    List<HealthCheck> startup();

    /** Whether everything it needs answers. */
    List<HealthCheck> readiness();
}
