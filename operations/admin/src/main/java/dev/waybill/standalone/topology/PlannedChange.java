package dev.waybill.standalone.topology;

import dev.waybill.standalone.topology.Difference.Setting;
import java.util.List;

/**
 * Something that {@code topology apply} does, or leaves undone, and why.
 *
 * @param entity its path
 * @param setting what differs
 * @param steps what a person can do about what is left or refused
 */
public record PlannedChange(String namespace, String entity, Verb verb, Setting setting, List<String> steps) {
    /** Copies the list. */
    public PlannedChange {
        steps = List.copyOf(steps);
    }

    /** A difference that a person has to bring into line. */
    public static PlannedChange left(Difference difference) {
        return new PlannedChange(
                difference.namespace(), difference.entity(), Verb.LEAVE, difference.setting(), difference.steps());
    }

    /** Whether it is about a setting of something declared, and not about something that is there besides. */
    public boolean isOfDeclared() {
        return !setting.name().equals(Plan.EXISTENCE);
    }

    /** The change to an entity, or why there is none. */
    public enum Verb {
        /** It is created. */
        CREATE,
        /** A setting is changed, or a rule. */
        CHANGE,
        /** It is deleted, as somebody has asked for it by name. */
        DELETE,
        /** Nothing: somebody else has set it, and the declaration does not name it. */
        LEAVE,
        /** Nothing: it is fixed at creation, or holds messages. */
        REFUSE,
        /** Nothing: it could not be read. */
        UNKNOWN;

        /** Whether something in the namespace changes. */
        public boolean isChange() {
            return this == CREATE || this == CHANGE || this == DELETE;
        }
    }
}
