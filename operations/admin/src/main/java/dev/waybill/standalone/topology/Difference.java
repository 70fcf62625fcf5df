package dev.waybill.standalone.topology;

import java.util.List;

/** A difference between declaration and namespace, with the commands that resolve it. */
public record Difference(String namespace, String entity, Setting setting, Kind kind, List<String> steps) {
    public Difference {
        steps = List.copyOf(steps);
    }

    /** A setting; a missing entity has the setting {@code existence}. */
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
