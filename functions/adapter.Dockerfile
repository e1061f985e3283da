# The adapter as one bundled file, adapter.mjs, beside this one.
FROM node:24-bookworm-slim
ENV NODE_ENV=production
COPY --chown=root:root adapter.mjs /opt/adapter/adapter.mjs
# The only place that is written to, also where the root is read-only: crash logs, log files, the health check's file.
RUN mkdir -p /var/adapter && chown node:node /var/adapter
VOLUME /var/adapter
WORKDIR /var/adapter
ENV TMPDIR=/var/adapter
USER node
# Exec form, so that Node itself gets the signals.
CMD ["node", "--enable-source-maps", "/opt/adapter/adapter.mjs"]
HEALTHCHECK --interval=30s --timeout=10s --start-period=30s --retries=3 CMD ["node", "/opt/adapter/adapter.mjs", "--health"]
