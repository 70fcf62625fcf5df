package dev.waybill.walletforge.proof;

import java.util.List;
import java.util.Map;

/** What happened between relay and consumer, told by someone who saw it. Ids are logical ids. */
public interface BrokerObserver {
    /** Ids of the messages that were stored, session by session, in the order of storing. */
    Map<String, List<String>> publications();

    /** How often each message was delivered to a consumer. */
    Map<String, Integer> deliveries();
}
