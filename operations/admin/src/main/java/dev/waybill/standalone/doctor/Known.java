package dev.waybill.standalone.doctor;

import dev.waybill.standalone.config.DestinationSettings;
import dev.waybill.standalone.servicebus.Entities;
import dev.waybill.standalone.servicebus.EntityLookup;
import dev.waybill.standalone.servicebus.EntityProperties;
import dev.waybill.standalone.topology.AzureCommands;
import java.util.Optional;

/** The known entities of a namespace, or why it is unreachable. */
record Known(Entities entities, Optional<String> away) {
    AzureCommands azure() {
        return new AzureCommands(entities.address().host());
    }

    EntityLookup lookup(DestinationSettings destination) {
        return destination.form().topic()
                ? entities.topic(destination.place().entity())
                : entities.queue(destination.place().entity());
    }

    Optional<EntityProperties> facts(DestinationSettings destination) {
        return away.isPresent() ? Optional.empty() : lookup(destination).facts();
    }
}
