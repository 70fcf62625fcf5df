package dev.waybill.relay;

import dev.waybill.schema.FeatureMissing;
import dev.waybill.schema.SchemaName;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The events of messages. The database empties their partitions itself; somebody has to ask it from time to time. */
record EventRing(DSLContext dsl, SchemaName schema) {
    private static final Logger LOG = LoggerFactory.getLogger(EventRing.class);

    /** Nothing is published by this: whatever fails is left for the next time. */
    void turn() {
        try {
            if (FeatureMissing.isInstalled(dsl, schema, "message_event")) {
                dsl.transaction(tx -> tx.dsl().fetch("select " + schema.table("message_event_trim") + "()"));
            }
        } catch (DataAccessException e) {
            LOG.debug("Old events of messages could not be removed", e);
        }
    }
}
