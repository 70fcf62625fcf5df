package dev.waybill.standalone.servicebus;

import java.util.Optional;

/**
 * The answer to a question about an entity.
 *
 * @param facts the entity, if it is there
 * @param unknown why nothing could be learned; empty if something was
 */
public record Lookup(Optional<EntityProperties> facts, Optional<String> unknown) {
    static Lookup of(EntityProperties facts) {
        return new Lookup(Optional.of(facts), Optional.empty());
    }

    static Lookup missing() {
        return new Lookup(Optional.empty(), Optional.empty());
    }

    static Lookup unknown(String why) {
        return new Lookup(Optional.empty(), Optional.of(why));
    }

    /** Whether the namespace says that there is no such entity. */
    public boolean isMissing() {
        return facts.isEmpty() && unknown.isEmpty();
    }
}
