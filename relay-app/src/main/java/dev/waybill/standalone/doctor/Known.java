package dev.waybill.standalone.doctor;

import dev.waybill.standalone.config.DestinationSettings;
import dev.waybill.standalone.servicebus.Entities;
import dev.waybill.standalone.servicebus.EntityProperties;
import dev.waybill.standalone.servicebus.Lookup;
import java.util.Optional;

/** The answers of a namespace. */
record Known(Entities entities) {
    Lookup lookup(DestinationSettings destination) {
        return destination.form().topic()
                ? entities.topic(destination.place().entity())
                : entities.queue(destination.place().entity());
    }

    Optional<EntityProperties> facts(DestinationSettings destination) {
        return lookup(destination).facts();
    }
}
