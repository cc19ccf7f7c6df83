/** The workflow that a new project starts with. */

export function workflow(name: string): string {
  return `# Shows what a pull request would change, and applies it once it is merged.
# Settings of the repository: the variable LANDFORM_BASE_URL; the secrets LANDFORM_API_KEY, PULUMI_ACCESS_TOKEN (or
# another backend that outlives the job) and PULUMI_CONFIG_PASSPHRASE.
name: ${name}
on:
  pull_request:
  push:
    branches: [main]
concurrency: landform-\${{ github.ref }}
permissions:
  contents: read
jobs:
  landform:
    runs-on: ubuntu-latest
    env:
      LANDFORM_BASE_URL: \${{ vars.LANDFORM_BASE_URL }}
      LANDFORM_API_KEY: \${{ secrets.LANDFORM_API_KEY }}
      PULUMI_ACCESS_TOKEN: \${{ secrets.PULUMI_ACCESS_TOKEN }}
      PULUMI_CONFIG_PASSPHRASE: \${{ secrets.PULUMI_CONFIG_PASSPHRASE }}
    steps:
      - uses: actions/checkout@v5
      - uses: actions/setup-node@v5
        with: { node-version: 24 }
      - uses: pulumi/actions@v6
      - run: npm install
      - if: github.event_name == 'pull_request'
        run: npx landform preview --engine pulumi --markdown "$GITHUB_STEP_SUMMARY"
      - if: github.event_name == 'push'
        run: npx landform up --engine pulumi --yes --markdown "$GITHUB_STEP_SUMMARY"
`;
}
