package dev.waybill.standalone.health;

import java.util.List;

/** The health of the process. Its methods must not block. */
public interface ProcessHealth {
    /** Whether every relay has started once. */
    List<HealthCheck> startup();

    /** Whether all dependencies answer. */
    List<HealthCheck> readiness();
}
