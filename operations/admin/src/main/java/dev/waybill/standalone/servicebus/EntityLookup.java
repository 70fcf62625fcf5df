package dev.waybill.standalone.servicebus;

import java.util.Optional;

/**
 * The result of reading an entity.
 *
 * @param facts empty if the entity does not exist
 * @param unknown why the entity is unreadable
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

    public boolean isMissing() {
        return facts.isEmpty() && unknown.isEmpty();
    }
}
