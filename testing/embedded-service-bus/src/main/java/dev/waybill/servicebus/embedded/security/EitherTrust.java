package dev.waybill.servicebus.embedded.security;

import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.X509TrustManager;

final class EitherTrust implements X509TrustManager {
    private final X509TrustManager first;
    private final X509TrustManager second;

    EitherTrust(X509TrustManager first, X509TrustManager second) {
        this.first = first;
        this.second = second;
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authentication) throws CertificateException {
        try {
            first.checkServerTrusted(chain, authentication);
        } catch (CertificateException e) {
            second.checkServerTrusted(chain, authentication);
        }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authentication) throws CertificateException {
        second.checkClientTrusted(chain, authentication);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        X509Certificate[] one = first.getAcceptedIssuers();
        X509Certificate[] other = second.getAcceptedIssuers();
        X509Certificate[] all = new X509Certificate[one.length + other.length];
        System.arraycopy(one, 0, all, 0, one.length);
        System.arraycopy(other, 0, all, one.length, other.length);
        return all;
    }
}
