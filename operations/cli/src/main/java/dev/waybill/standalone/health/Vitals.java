package dev.waybill.standalone.health;

import java.util.List;

/** Knows how the process is. Must not wait for anything. */
public interface Vitals {
    /** Whether everything has started once. */
    List<Check> startup();

    /** Whether everything it needs answers. */
    List<Check> readiness();
}
