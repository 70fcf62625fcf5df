package dev.waybill.servicebus.stress;

import static dev.waybill.servicebus.embedded.fault.FaultPoint.ATTACH;
import static dev.waybill.servicebus.embedded.fault.FaultPoint.BEFORE_STORE;
import static dev.waybill.servicebus.embedded.fault.FaultPoint.CBS;
import static dev.waybill.servicebus.embedded.fault.FaultPoint.STORED_BEFORE_ACK;

import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import java.time.Duration;
import java.util.List;

/** Each kind of trouble that a broker makes without any message being at fault. */
enum Trouble {
    SERVER_BUSY,
    ACKNOWLEDGEMENT_LOST,
    LINK_DETACHED,
    CONNECTION_DROPPED,
    HALF_OPEN,
    LATE,
    QUOTA_EXCEEDED,
    UNAUTHORIZED,
    TOKEN_EXPIRED,
    /** Not at a point of the broker's work: the entity is deleted and made anew. */
    ENTITY_DELETED;

    /** The ways in which it happens. */
    List<Way> ways() {
        return switch (this) {
            case SERVER_BUSY -> List.of(new Way(BEFORE_STORE, FaultAction.reject(BrokerError.SERVER_BUSY)));
            case ACKNOWLEDGEMENT_LOST ->
                List.of(
                        new Way(STORED_BEFORE_ACK, FaultAction.swallow()),
                        new Way(STORED_BEFORE_ACK, FaultAction.dropConnection()),
                        new Way(STORED_BEFORE_ACK, FaultAction.detach(BrokerError.DETACH_FORCED)),
                        new Way(STORED_BEFORE_ACK, FaultAction.reject(BrokerError.INTERNAL_ERROR)));
            case LINK_DETACHED ->
                List.of(
                        new Way(BEFORE_STORE, FaultAction.detach(BrokerError.DETACH_FORCED)),
                        new Way(ATTACH, FaultAction.withholdCredit()));
            case CONNECTION_DROPPED ->
                List.of(
                        new Way(BEFORE_STORE, FaultAction.dropConnection()),
                        new Way(BEFORE_STORE, FaultAction.closeConnection(BrokerError.CONNECTION_FORCED)));
            case HALF_OPEN ->
                List.of(
                        new Way(BEFORE_STORE, FaultAction.stallReads(Duration.ofSeconds(5))),
                        new Way(BEFORE_STORE, FaultAction.swallow()));
            case LATE ->
                List.of(
                        new Way(BEFORE_STORE, FaultAction.delay(Duration.ofMillis(400))),
                        new Way(BEFORE_STORE, FaultAction.delay(AllFaultsTest.SEND_DEADLINE.plusMillis(500))));
            case QUOTA_EXCEEDED ->
                List.of(new Way(BEFORE_STORE, FaultAction.reject(BrokerError.RESOURCE_LIMIT_EXCEEDED)));
            case UNAUTHORIZED -> List.of(new Way(BEFORE_STORE, FaultAction.reject(BrokerError.UNAUTHORIZED)));
            case TOKEN_EXPIRED ->
                List.of(
                        new Way(BEFORE_STORE, FaultAction.detach(BrokerError.UNAUTHORIZED)),
                        new Way(CBS, FaultAction.reject(BrokerError.UNAUTHORIZED)));
            case ENTITY_DELETED -> List.of();
        };
    }

    /** One of them. */
    record Way(FaultPoint point, FaultAction action) {}
}
