package dev.waybill.standalone.topology;

import java.util.List;

/**
 * Something in a namespace that is not as declared.
 *
 * @param steps what to do, in order: commands and the waits between them
 */
public record Difference(String namespace, String entity, Setting setting, Kind kind, List<String> steps) {
    /** Copies the list. */
    public Difference {
        steps = List.copyOf(steps);
    }

    /**
     * One of its settings.
     *
     * @param name {@code existence} if the entity is not there
     */
    public record Setting(String name, String declared, String actual) {}

    /** The kind of change that removes a difference. */
    public enum Kind {
        /** It is not there. */
        MISSING,
        /** It can be changed. */
        CHANGE,
        /** It is fixed at creation: another entity has to take its place. */
        RECREATE,
        /** The declaration does not name it: somebody else has set it, and it stays until a person decides. */
        UNDECLARED,
        /** Nothing could be learned. */
        UNKNOWN;

        /** Whether messages go astray as it is. */
        public boolean isError() {
            return this == MISSING || this == RECREATE;
        }
    }
}
