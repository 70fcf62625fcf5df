package dev.waybill.servicebus.embedded.transport;

import org.apache.qpid.proton.engine.Sasl;
import org.apache.qpid.proton.engine.SaslListener;
import org.apache.qpid.proton.engine.Transport;

/** Accepts every client: Service Bus checks tokens later, per entity. */
public final class AnonymousSasl implements SaslListener {
    @Override
    public void onSaslInit(Sasl sasl, Transport transport) {
        sasl.done(Sasl.PN_SASL_OK);
    }

    @Override
    public void onSaslResponse(Sasl sasl, Transport transport) {
        sasl.done(Sasl.PN_SASL_OK);
    }

    @Override
    public void onSaslMechanisms(Sasl sasl, Transport transport) {}

    @Override
    public void onSaslChallenge(Sasl sasl, Transport transport) {}

    @Override
    public void onSaslOutcome(Sasl sasl, Transport transport) {}
}
