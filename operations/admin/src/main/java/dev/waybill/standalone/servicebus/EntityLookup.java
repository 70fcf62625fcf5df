package dev.waybill.standalone.servicebus;

import java.util.Optional;

/** An entity, nothing if it does not exist, or the reason why it is unreadable. */
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
