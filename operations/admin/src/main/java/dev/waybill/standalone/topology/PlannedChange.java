package dev.waybill.standalone.topology;

import dev.waybill.standalone.topology.Difference.Setting;
import java.util.List;

/** A change that {@code topology apply} makes, or refuses with steps for an operator. */
public record PlannedChange(String namespace, String entity, Verb verb, Setting setting, List<String> steps) {
    public PlannedChange {
        steps = List.copyOf(steps);
    }

    /** A difference that an operator has to resolve. */
    public static PlannedChange left(Difference difference) {
        return new PlannedChange(
                difference.namespace(), difference.entity(), Verb.LEAVE, difference.setting(), difference.steps());
    }

    /** Whether it concerns a declared entity. */
    public boolean isOfDeclared() {
        return !setting.name().equals(Plan.EXISTENCE);
    }

    public enum Verb {
        CREATE,
        CHANGE,
        /** The operator named it for deletion. */
        DELETE,
        /** No change: the declaration does not name it. */
        LEAVE,
        /** No change: it is fixed at creation, or holds messages. */
        REFUSE,
        /** No change: it is unreadable. */
        UNKNOWN;

        public boolean isChange() {
            return this == CREATE || this == CHANGE || this == DELETE;
        }
    }
}
