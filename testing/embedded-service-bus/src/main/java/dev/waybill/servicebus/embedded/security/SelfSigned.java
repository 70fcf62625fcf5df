package dev.waybill.servicebus.embedded.security;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** A self-signed certificate for localhost (RFC 5280). Java has no public API for one, and not every installation has keytool. */
final class SelfSigned {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final Duration LIFE = Duration.ofDays(365);
    private static final int UTC_TIME = 0x17;
    private static final int UTF8 = 0x0C;
    private static final int DNS_NAME = 0x82;
    private static final int ADDRESS = 0x87;
    private static final byte[] ECDSA_WITH_SHA256 =
            Der.sequence(Der.object(0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02));
    private static final byte[] COMMON_NAME = Der.object(0x55, 0x04, 0x03);
    private static final byte[] ALTERNATIVE_NAMES = Der.object(0x55, 0x1D, 0x11);
    private static final byte[] BASIC_CONSTRAINTS = Der.object(0x55, 0x1D, 0x13);

    private SelfSigned() {}

    /** For localhost, 127.0.0.1 and ::1, valid from a day ago to a year from now. */
    static X509Certificate forThisMachine(KeyPair keys, Instant now) throws GeneralSecurityException {
        byte[] content = content(keys, now);
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(keys.getPrivate());
        signature.update(content);
        byte[] whole = Der.sequence(content, ECDSA_WITH_SHA256, Der.bits(signature.sign()));
        return (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(whole));
    }

    private static byte[] content(KeyPair keys, Instant now) {
        byte[] version = Der.value(0xA0, Der.integer(BigInteger.TWO));
        byte[] serial = Der.integer(new BigInteger(63, new SecureRandom()).add(BigInteger.ONE));
        byte[] name = Der.sequence(Der.set(Der.sequence(COMMON_NAME, Der.text(UTF8, "localhost"))));
        byte[] validity = Der.sequence(time(now.minus(Duration.ofDays(1))), time(now.plus(LIFE)));
        byte[] extensions = Der.value(0xA3, Der.sequence(constraints(), alternativeNames()));
        return Der.sequence(
                version,
                serial,
                ECDSA_WITH_SHA256,
                name,
                validity,
                name,
                keys.getPublic().getEncoded(),
                extensions);
    }

    private static byte[] time(Instant moment) {
        return Der.text(UTC_TIME, TIME.format(moment));
    }

    // Some libraries trust a certificate only as an authority.
    private static byte[] constraints() {
        return Der.sequence(BASIC_CONSTRAINTS, Der.truth(), Der.octets(Der.sequence(Der.truth())));
    }

    private static byte[] alternativeNames() {
        byte[] six = new byte[16];
        six[15] = 1;
        byte[] names = Der.sequence(
                Der.text(DNS_NAME, "localhost"),
                Der.value(ADDRESS, new byte[] {127, 0, 0, 1}),
                Der.value(ADDRESS, six));
        return Der.sequence(ALTERNATIVE_NAMES, Der.octets(names));
    }
}
