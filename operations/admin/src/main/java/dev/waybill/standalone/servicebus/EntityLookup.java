package dev.waybill.standalone.servicebus;

import java.util.Optional;

/**
 * The answer to a question about an entity.
 *
 * @param facts the entity, if it is there
 * @param unknown why nothing could be learned; empty if something was
 */
public record EntityLookup(Optional<EntityProperties> facts, Optional<String> unknown) {
    static EntityLookup of(EntityProperties facts) {
        return new EntityLookup(Optional.of(facts), Optional.empty());
    }

    static EntityLookup missing() {
        return new EntityLookup(Optional.empty(), Optional.empty());
    }

    static EntityLookup unknown(String why) {
        return new EntityLookup(Optional.empty(), Optional.of(why));
    }

    /** Whether the namespace says that there is no such entity. */
    public boolean isMissing() {
        return facts.isEmpty() && unknown.isEmpty();
    }
}
