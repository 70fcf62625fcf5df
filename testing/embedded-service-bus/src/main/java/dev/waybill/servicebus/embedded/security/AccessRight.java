package dev.waybill.servicebus.embedded.security;

/** A right that a key or a token gives. */
public enum AccessRight {
    /** Receive messages, settle them, browse them, and change the rules of subscriptions over AMQP. */
    LISTEN("Listen", "Azure Service Bus Data Receiver"),
    /** Send messages, schedule them and cancel those scheduled. */
    SEND("Send", "Azure Service Bus Data Sender"),
    /** Everything, administration over HTTP included. */
    MANAGE("Manage", "Azure Service Bus Data Owner");

    private final String claim;
    private final String role;

    AccessRight(String claim, String role) {
        this.claim = claim;
        this.role = role;
    }

    /** Its name as Service Bus writes it. */
    public String claim() {
        return claim;
    }

    /** The role of Microsoft Entra that grants it. */
    String role() {
        return role;
    }
}
