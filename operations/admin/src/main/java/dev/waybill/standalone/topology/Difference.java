package dev.waybill.standalone.topology;

import java.util.List;

/**
 * A difference between declaration and namespace.
 *
 * @param steps commands and waits, in order
 */
public record Difference(String namespace, String entity, Setting setting, Kind kind, List<String> steps) {
    public Difference {
        steps = List.copyOf(steps);
    }

    /**
     * A setting.
     *
     * @param name {@code existence} for a missing entity
     */
    public record Setting(String name, String declared, String actual) {}

    public enum Kind {
        MISSING,
        CHANGE,
        /** Fixed at creation: a new entity has to replace this one. */
        RECREATE,
        /** Not declared: it stays until an operator decides. */
        UNDECLARED,
        /** Not readable. */
        UNKNOWN;

        /** Whether messages are lost or misrouted. */
        public boolean isError() {
            return this == MISSING || this == RECREATE;
        }
    }
}
